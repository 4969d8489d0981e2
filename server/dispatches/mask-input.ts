/** Masks an input by the workspace's own masking: a small one where its record is made, a large one on a worker thread. */
import type { Masking } from "@quarterdeck/hooks";
import type { AgentActor } from "../access/actor.ts";
import type { MaskingInForce } from "../masking/index.ts";
import type { DispatchRequest } from "./dispatch-request.ts";
import { maskInputInWorker } from "./read-input.ts";

type Readable = Pick<DispatchRequest, "text" | "input" | "hidden">;

/** Masking this much text by a full set of patterns takes a few milliseconds. */
const INLINE_CHARACTERS_MAX = 16_384;

/** True if the input of a request is masked where its record is made. */
export const isMaskedInline = (masking: Masking, { text }: Readable): boolean =>
  !masking.isOwn || text.length <= INLINE_CHARACTERS_MAX;

/** The request, of which a large input is masked. Errors: those of reading the masking; `busy` and `too_costly`. */
export async function maskLargeInput<T extends Readable>(
  maskings: Pick<MaskingInForce, "of">,
  actor: AgentActor,
  request: T,
  isRaw: boolean,
): Promise<T> {
  const masking = await maskings.of(actor.workspaceId);
  if (isMaskedInline(masking, request)) return request;
  const { text, hidden } = request;
  const asked = { text: isRaw ? text : (hidden?.text ?? text), setting: masking.setting, isRaw };
  return { ...request, ownMasked: await maskInputInWorker(actor.id, asked) };
}
