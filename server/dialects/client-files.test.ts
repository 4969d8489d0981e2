/** One description of each client: its files and events as enrolments write them, drills find them and imports read them. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { drillProbes } from "../cli/drill/drill-calls.ts";
import { drillTarget } from "../cli/drill/target.ts";
import type { ProcessContext } from "../cli/enrol/process-context.ts";
import type { ClientCapabilities } from "./capabilities.ts";
import { CLIENT_ENROLMENTS } from "./client-enrolments.ts";
import { CLIENT_FILES, type ClientFiles, OPENCODE_PLUGINS } from "./client-files.ts";
import { CLIENT_CAPABILITIES } from "./clients.ts";
import { isOwnFile } from "./enrolment.ts";
import { CLIENT_IMPORTS } from "./import/service.ts";
import { IMPORTED_CLIENT_NAMES } from "./import-schema.ts";
import { dialectOf } from "./registry.ts";
import { CLIENT_NAMES, ENROLLED_CLIENT_NAMES, ENROLLED_CLIENTS, type EnrolmentScope } from "./schema.ts";

const URL = "https://quarterdeck.example.com";

let base: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "client-files-"));
});
afterEach(() => rm(base, { recursive: true }));

describe.each(ENROLLED_CLIENT_NAMES)("%s", (client) => {
  const files: ClientFiles = CLIENT_FILES[client];
  const scopes: readonly EnrolmentScope[] = ENROLLED_CLIENTS[client].scopes;
  const written = (scope: EnrolmentScope) =>
    CLIENT_ENROLMENTS[client]({ url: URL, scope, hasTelemetry: false }).filter(({ path }) => !isOwnFile(path));

  it("has files for the scopes of its enrolment, and is enrolled in them", () => {
    expect(scopes.filter((scope) => files[scope] !== undefined)).toEqual(scopes);
    expect(Object.keys(files).filter((key) => key !== "format" && key !== "movable")).toHaveLength(scopes.length);
    for (const scope of scopes) {
      const known = [...(files[scope] ?? []), ...(client === "opencode" ? [OPENCODE_PLUGINS[scope]] : [])];
      for (const { path } of written(scope)) expect(known.some((one) => path.startsWith(one))).toBe(true);
    }
  });

  it.each(scopes.filter((scope) => scope !== "managed"))("is drilled in its files: %s", async (scope) => {
    const at = (path: string) => join(base, path.startsWith("~/") ? `home/${path.slice(2)}` : `project/${path}`);
    for (const { path, content, mode } of written(scope)) {
      await mkdir(dirname(at(path)), { recursive: true });
      await writeFile(at(path), content, { mode });
    }
    const context: ProcessContext = {
      ...{ homeDirectory: join(base, "home"), workingDirectory: join(base, "project"), environment: {} },
      ...{ writeOutput: () => undefined, writeError: () => undefined },
    };
    const target = drillTarget(client, { [scope]: true }, context);
    for (const probe of drillProbes(client)) {
      const { hooks } = await target.findHooks(target.folders, probe, {});
      expect(written(scope).map(({ path }) => at(path))).toContain(hooks[0]?.source);
    }
  });

  it("asks at events that its table of capabilities has", () => {
    const { events }: ClientCapabilities = CLIENT_CAPABILITIES[client];
    const asked = written("user").flatMap(({ content }) => [
      ...content.matchAll(/\/api\/v1\/hooks\/(?:[\w-]+\/)?(\w+)[ ?]/g),
    ]);
    for (const [, event = ""] of asked) expect(Object.keys(events)).toContain(event);
    expect(asked.length > 0).toBe(client !== "opencode");
  });
});

it.each(CLIENT_NAMES)("%s reads each event as its table of capabilities says", (client) => {
  const { read, capabilities } = dialectOf(client);
  for (const [event, { native }] of Object.entries(capabilities.events)) {
    // Gemini CLI has one event for all notifications; their type selects ours.
    const expected = native === "on_user_input" && client === "gemini" ? "notification" : native;
    expect(read({ hook_event_name: event }, event).native.hook_event_name).toBe(expected);
  }
});

it.each(IMPORTED_CLIENT_NAMES)("an import reads every event of an enrolled %s", (client) => {
  const [{ content = "" } = {}] = CLIENT_ENROLMENTS[client]({ url: URL, scope: "user", hasTelemetry: false });
  const hooks = client === "docker-agent" ? parse(content) : JSON.parse(content).hooks;
  const { notCarried } = CLIENT_IMPORTS[client](content);
  const named = new Set(notCarried.map(({ text }) => text.split(" ")[0]));
  for (const event of Object.keys(hooks)) expect(named).toContain(event);
});
