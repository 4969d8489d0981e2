/** The body of a request to the agent API. */
import type { z } from "zod";
import { AppError } from "../errors/app-error.ts";
import { parseJson, textOf } from "./json-text.ts";

/** Errors: `not_utf8`, `not_json` and its like; `invalid_input` with the wrong place. */
export function readJson<T>(body: Buffer, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(parseJson(textOf(body)));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const pointer = `/${issue?.path.join("/") ?? ""}`;
  const says = `${pointer}: ${issue?.message ?? "not what was asked for"}`;
  throw new AppError("invalid_input", undefined, { says, pointer });
}
