/** The console of a client on this machine, and the key that its hooks use. */
import { CLIENT_FILES, type ClientFiles, headerPath, OPENCODE_PLUGINS } from "../../dialects/index.ts";
import type { Console } from "../agent-request.ts";
import { layersOf } from "../drill/configured-hook.ts";
import { readText } from "../drill/settings-file.ts";
import { consoleUrlIn } from "../drill/target.ts";
import { ownKeyOf } from "../own-key.ts";
import { Refusal } from "../refusal.ts";
import type { InventoryPlace } from "./find-extensions.ts";
import type { InventoriedClient } from "./places.ts";

/** Errors: a `Refusal` without a key, and for an invalid address. */
export async function findConsole(
  client: InventoriedClient,
  { home, project, environment }: InventoryPlace,
  url: string | undefined,
): Promise<Console> {
  const ofUser = headerPath({ scope: "user", keyOf: ownKeyOf(client, { scope: "user", home }) }, home);
  const key =
    (await headerKey(ofUser)) ??
    (await headerKey(headerPath({ scope: "managed" }, home))) ??
    (environment.QUARTERDECK_KEY || undefined);
  if (key === undefined) throw new Refusal("no key was found. Enrol the client first, or set QUARTERDECK_KEY.");
  const files: ClientFiles = CLIENT_FILES[client];
  const layers = layersOf({ scope: project === null ? "user" : "project", home, project: project ?? "" }, files);
  const paths = [
    ...layers.map(({ path }) => path),
    ...(client === "opencode" ? [`${home}${OPENCODE_PLUGINS.user.slice(1)}`, OPENCODE_PLUGINS.managed] : []),
  ];
  const texts = (await Promise.all(paths.map(textAt))).filter((text) => text !== null);
  const given = url ?? (environment.QUARTERDECK_URL || consoleUrlIn(texts));
  const address = (given ?? `http://127.0.0.1:${environment.PORT || "3000"}`).replace(/\/+$/, "");
  if (!/^https?:\/\/\S+$/.test(address)) throw new Refusal("say where Quarterdeck is: --url https://...", 2);
  return { url: address, key };
}

/** A file that cannot be read names no console. */
const textAt = (path: string): Promise<string | null> => readText(path).catch(() => null);

async function headerKey(path: string): Promise<string | undefined> {
  const text = await textAt(path);
  return /^authorization:\s*bearer\s+(\S+)\s*$/i.exec(text?.trim() ?? "")?.[1];
}
