/** Changes to a text for an editor: all offsets are those before the first change. */
export interface Change {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** A form's edit: the changes of one undo step, or the reason why the text must be edited by hand. */
export type Edit =
  | { readonly ok: true; readonly changes: readonly Change[]; readonly text: string }
  | { readonly ok: false; readonly why: string };

/** The text after all changes; they must not overlap. */
export function applied(text: string, changes: readonly Change[]): string {
  const inOrder = [...changes].sort((a, b) => a.from - b.from || a.to - b.to);
  let result = "";
  let at = 0;
  for (const { from, to, insert } of inOrder) {
    result += text.slice(at, from) + insert;
    at = to;
  }
  return result + text.slice(at);
}
