/**
 * The telemetry of a client before its enrolment: the key that would be sent with it, and a receiver that another
 * person configured.
 */
import { headerPath, isOwnReceiver, ownPath } from "../../dialects/index.ts";
import { findFile } from "./files.ts";
import { valueAt } from "./json-values.ts";
import { settingsValues } from "./settings.ts";
import type { Target } from "./target.ts";

/** The key in the files of an earlier enrolment, or of a machine that joined: both of its parts, where there are two. */
export async function findKey({ options, locate }: Target): Promise<string | null> {
  const header = await findFile(...locate(headerPath(options, "~")));
  const bearer = /^Authorization: Bearer ([A-Za-z0-9._~+/=-]+)\s*$/.exec(header.text ?? "")?.[1];
  if (bearer === undefined) return null;
  const second = await findFile(...locate(ownPath("answer-key", options, "~")));
  const answerKey = /^[0-9a-f]{64}(?=\s*$)/.exec(second.text ?? "")?.[0];
  return answerKey === undefined ? bearer : `${bearer}_${answerKey}`;
}

/** The name of a file whose settings send telemetry to another receiver. */
export async function findReceiver({ files, locate, options }: Target): Promise<string | null> {
  if (options.hasTelemetry === false) return null;
  for (const { path, receiver = [], settings } of files) {
    if (settings === undefined || receiver.length === 0) continue;
    const { name, text } = await findFile(...locate(path));
    const values = settingsValues({ name, format: settings, text: text ?? "" });
    const present = receiver.map((at) => valueAt(values, at)).filter((value) => value !== undefined);
    if (present.some((value) => !isOwnReceiver(value))) return name;
  }
  return null;
}
