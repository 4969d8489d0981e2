/**
 * The changes that a viewer has heard of, as it sends them with its queries. A recent answer serves a viewer only if it
 * began after all of them: the next change leads to another hint, and the viewer asks again.
 */
import { z } from "zod";

export const HEARD_HEADER = "quarterdeck-heard";

/** The number of changes that a process has received. Numbers of two processes are not comparable. */
export interface ChangePosition {
  readonly node: string;
  readonly sequence: number;
}

export interface Heard extends ChangePosition {
  /** Milliseconds since the viewer's own last change was answered; null without one. */
  readonly changedAgoMs: number | null;
}

/** As the stream sends it. */
export const positionText = ({ node, sequence }: ChangePosition): string => `${node}.${sequence}`;

/** The header's value. Milliseconds are cut, because a shorter time is the stricter one. */
export const heardText = (position: string, changedAgoMs: number | null): string =>
  changedAgoMs === null ? position : `${position} ${Math.floor(changedAgoMs)}`;

const FORM = /^([0-9a-f-]{36})\.(\d{1,15})(?: (\d{1,12}))?$/;
const heard = z
  .string()
  .max(80)
  .transform((text) => FORM.exec(text))
  .transform((found): Heard | null =>
    found === null
      ? null
      : {
          node: found[1] ?? "",
          sequence: Number(found[2]),
          changedAgoMs: found[3] === undefined ? null : Number(found[3]),
        },
  );

/** Null without the header, and for a value of another form: such a query has an answer of its own. */
export const readHeard = (value: string | undefined): Heard | null => heard.safeParse(value).data ?? null;
