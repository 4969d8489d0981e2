/** One difference between two hooks. */
export interface FieldChange {
  readonly kind: "timeout" | "on_error" | "run_on" | "code" | "field";
  /** Without the hook's name: "waits 5 s instead of 60 s". */
  readonly says: string;
  /** True if the change weakens or may weaken the hook. */
  readonly mayLoosen?: true;
  /** Longer texts, to be shown as a diff. */
  readonly texts?: { readonly before: string; readonly after: string };
}
