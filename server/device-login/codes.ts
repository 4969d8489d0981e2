/** The codes of a login: a short one for the person, and a long one for the machine. */
import { createHmac, randomInt } from "node:crypto";
import { CODE_LENGTH, CODE_LETTERS } from "./schema.ts";

export const newUserCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => CODE_LETTERS.charAt(randomInt(CODE_LETTERS.length))).join("");

/** The stored form of a short code. The key is needed because all codes could be tried in seconds. */
export const hashUserCode = (secret: string, code: string): Buffer =>
  createHmac("sha256", secret).update(`quarterdeck login ${code}`).digest();
