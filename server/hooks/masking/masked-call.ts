/** The call that a text belongs to: the values of its fields that are never stored are taken out of the text too. */
export interface MaskedCall {
  readonly tool_name?: unknown;
  readonly tool_input?: unknown;
  readonly tool_response?: unknown;
  /** The input and the response as hooks replaced them. */
  readonly updated_input?: unknown;
  readonly updated_tool_response?: unknown;
}

/** The kind of a JSON text: which of its members are content, and where fields are in it. */
export type MaskedShape = "input" | "tool_input" | "answer" | "hooks";
