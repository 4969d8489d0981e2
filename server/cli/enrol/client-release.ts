/**
 * The installed release of a client whose files depend on it, and the check that the client reads the written files.
 */
import { dropInForm } from "../../dialects/docker-agent/index.ts";
import { clientVersion } from "../client-version.ts";
import { dockerAgentFolder, readHookSources } from "../docker-agent-sources.ts";
import { Refusal } from "../refusal.ts";
import type { ProcessContext } from "./process-context.ts";
import type { Target } from "./target.ts";

interface InstalledForm {
  readonly version: string | null;
  readonly notes: readonly string[];
}

/** Errors: a `Refusal` for a release that would not run the hooks. */
export async function installedForm(client: string, { environment }: ProcessContext): Promise<InstalledForm> {
  if (client !== "docker-agent") return { version: null, notes: [] };
  const version = await clientVersion(client, environment);
  const form = dropInForm(version);
  if (!form.isSupported) throw new Refusal(form.reason);
  return { version, notes: form.note === null ? [] : [form.note] };
}

/** Sentences on what keeps the written file, or other hooks, from running. Errors: a `Refusal` when the client would skip the written file. */
export async function checkInForce(target: Target, context: ProcessContext): Promise<readonly string[]> {
  if (target.client !== "docker-agent") return [];
  const { homeDirectory: home, workingDirectory: directory, environment } = context;
  const sources = await readHookSources(
    dockerAgentFolder({ home, directory, environment }),
    target.options.version ?? null,
  );
  const own = sources.find(({ path }) => path.endsWith("/hooks.d/50-quarterdeck.yaml"));
  if (own === undefined || !own.isInForce)
    throw new Refusal(
      `${own?.notes[0] ?? "docker-agent does not find its file in hooks.d."} Nothing governs docker-agent here: take the enrolment back with --remove.`,
    );
  return sources.flatMap(({ notes }) => notes);
}
