import { z } from "zod";
import { NONCE } from "../platform/answer-mac.ts";

/** The documents of a signed answer, at every route of a hook question. */
export const NONCE_DOCS = {
  "Quarterdeck-Nonce": {
    schema: z.string().regex(NONCE).optional(),
    description:
      "Random for each request, and best with `v2` in front. With it, the answer is signed, errors included.",
  },
};
export const SIGNATURE_DOCS = {
  "Quarterdeck-Nonce": "The request's nonce.",
  "Quarterdeck-Answer-Mac":
    "Lower-case hex of HMAC-SHA256 under the second half of the agent's key (64 ASCII characters), over these lines without a last newline: `quarterdeck answer v1`, the nonce, the path and query from `/api/v1/` on, the hex sha256 of the request's body, `name: value` of the request's headers Content-Type (in lower case and without parameters, only where it is not application/json), Idempotency-Key, Quarterdeck-Executor and, where the nonce begins with `v2`, Quarterdeck-Wait-Seconds, in this order and with lower-case names, as far as they were sent; the status, and the answer's body. The answer's headers are not signed. A nonce is answered with one verdict: the next is not signed.",
};
