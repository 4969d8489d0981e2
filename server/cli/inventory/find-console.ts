/** The console of a client on this machine, and the key that its hooks use. */
import { CLIENT_FILES, type ClientFiles, headerPath, OPENCODE_PLUGINS } from "../../dialects/index.ts";
import type { EnrolledClient } from "../../dialects/schema.ts";
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
  place: InventoryPlace,
  url: string | undefined,
): Promise<Console> {
  const key = await findKey(client, place);
  if (key === undefined) throw new Refusal("no key was found. Enrol the client first, or set QUARTERDECK_KEY.");
  return { url: await findUrl([client], place, url), key };
}

type KeyPlace = Pick<InventoryPlace, "home" | "environment">;

/** The key of a client, else the one that the clients of the user share, of the machine, or of the environment. */
export async function findKey(
  client: EnrolledClient | undefined,
  { home, environment }: KeyPlace,
): Promise<string | undefined> {
  const keyOf = client === undefined ? undefined : ownKeyOf(client, { scope: "user", home });
  return (
    (await headerKey(headerPath({ scope: "user", keyOf }, home))) ??
    (await headerKey(headerPath({ scope: "managed" }, home))) ??
    (environment.QUARTERDECK_KEY || undefined)
  );
}

/** The console's address: as given, of the environment, or of the hooks of these clients. Errors: a `Refusal` for an invalid one. */
export async function findUrl(
  clients: readonly EnrolledClient[],
  { home, project, environment }: InventoryPlace,
  url: string | undefined,
): Promise<string> {
  const scope = project === null ? "user" : "project";
  const paths = clients.flatMap((client) => {
    const files: ClientFiles = CLIENT_FILES[client];
    return [
      ...layersOf({ scope, home, project: project ?? "" }, files).map(({ path }) => path),
      ...(client === "opencode" ? [`${home}${OPENCODE_PLUGINS.user.slice(1)}`, OPENCODE_PLUGINS.managed] : []),
    ];
  });
  const texts = (await Promise.all(paths.map(textAt))).filter((text) => text !== null);
  const given = url ?? (environment.QUARTERDECK_URL || consoleUrlIn(texts));
  const address = (given ?? `http://127.0.0.1:${environment.PORT || "3000"}`).replace(/\/+$/, "");
  if (!/^https?:\/\/\S+$/.test(address)) throw new Refusal("say where Quarterdeck is: --url https://...", 2);
  return address;
}

/** A file that cannot be read names no console. */
const textAt = (path: string): Promise<string | null> => readText(path).catch(() => null);

async function headerKey(path: string): Promise<string | undefined> {
  const text = await textAt(path);
  return /^authorization:\s*bearer\s+(\S+)\s*$/i.exec(text?.trim() ?? "")?.[1];
}
