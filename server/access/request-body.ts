/** The text of a request to procedures: of one call, or of a batch of them. */
export interface RequestBody {
  readonly text: string;
  readonly isBatch: boolean;
}
