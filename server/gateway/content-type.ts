import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "../errors/app-error.ts";

/**
 * The media type of a body that is one of `takes`, in UTF-8 and compressed only in one of `encodings`. Errors:
 * `wrong_content_type`.
 */
export function contentTypeOf(
  headers: IncomingHttpHeaders,
  takes: readonly string[],
  encodings: readonly string[] = [],
): string {
  const stated = headers["content-type"] ?? "";
  const encoding = (headers["content-encoding"] ?? "identity").toLowerCase();
  if (encoding !== "identity" && !encodings.includes(encoding)) throw refused(uncompressed(encodings));
  // The value that nearly all clients send.
  if (takes.includes(stated)) return stated;
  const [type = "", ...parameters] = stated.toLowerCase().split(";");
  const name = type.trim();
  if (!takes.includes(name)) throw refused(`Send Content-Type: ${takes.join(" or ")}.`);
  for (const parameter of parameters) {
    const [key = "", value = ""] = parameter.split("=");
    const charset = value.trim().replaceAll('"', "");
    if (key.trim() === "charset" && charset !== "utf-8" && charset !== "utf8")
      throw refused("Send the body in UTF-8: charset=utf-8.");
  }
  return name;
}

const uncompressed = (encodings: readonly string[]): string =>
  encodings.length === 0
    ? "Send the body uncompressed, without Content-Encoding."
    : `Send the body uncompressed, or with Content-Encoding: ${encodings.join(" or ")}.`;

function refused(says: string): AppError {
  return new AppError("wrong_content_type", undefined, { says });
}
