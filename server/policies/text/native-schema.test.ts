/** Whatever leaves the console for docker-agent is what docker-agent's published schema takes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eventNames, type HooksConfig, PROFILES, type Profile, parseHooks } from "@quarterdeck/hooks";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { publishedSchema } from "../../../e2e/fixtures/published-schema.ts";
import { PACKS } from "../../packs/registry.ts";
import { agentFileYaml, nativeYaml } from "../effective/agent-policy-response.ts";
import type { EnforcedSet } from "../effective/effective.ts";
import { readPolicy } from "./source.ts";

const setOf = (hooks: HooksConfig, profile: Profile): EnforcedSet => ({
  revision: "r",
  profile,
  members: [
    {
      policyId: "p",
      name: "p",
      number: 1,
      sha256: "s",
      textProfile: profile,
      publishedAt: new Date(0),
      hooks,
      text: hooks,
      leftOut: new Set(),
      monitored: [],
      problems: [],
    },
  ],
});

function checker(profile: Profile) {
  const ajv = new Ajv({ allErrors: true, strict: false });
  const whole = ajv.addSchema(publishedSchema(profile), "published");
  const said = (ref: string, value: unknown): string[] => {
    whole.validate(ref, value);
    return (whole.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
  return {
    file: (yaml: string) => said("published", parse(yaml)),
    block: (yaml: string) => {
      const { hooks, ...rest } = parse(yaml) as { hooks: unknown }; // holds: it is validated next
      return [...Object.keys(rest), ...said("published#/definitions/hooks", hooks)];
    },
  };
}

const CHECKERS = { "2026-07": checker("2026-07"), "2026-08": checker("2026-08"), "2026-11": checker("2026-11") };

/** Both exports of a block, against the schema of a profile. */
function errorsOf(hooks: HooksConfig, profile: Profile): string[] {
  const { file, block } = CHECKERS[profile];
  const set = setOf(hooks, profile);
  return [...file(agentFileYaml(set, "ci bot: #1")), ...block(nativeYaml(set))];
}

describe.each(PROFILES)("in %s, docker-agent's schema takes", (profile) => {
  const cases = join(import.meta.dirname, "../../hooks/conformance/executor-cases.json");
  const { cases: all } = JSON.parse(readFileSync(cases, "utf8")) as { cases: { config?: unknown }[] }; // our own file
  const configs = all.flatMap(({ config }) => {
    const parsed = parseHooks(config, profile);
    return parsed.ok ? [parsed.hooks] : [];
  });

  it("the export of every conformance configuration", () => {
    expect(configs.length).toBeGreaterThan(100);
    for (const hooks of configs) expect(errorsOf(hooks, profile), JSON.stringify(hooks)).toEqual([]);
  });

  it("the export of every pack", () => {
    for (const { id, source } of PACKS) {
      const read = readPolicy(source);
      if (read.hooks && (read.profile === profile || profile !== "2026-07"))
        expect(errorsOf(read.hooks, profile), id).toEqual([]);
    }
  });

  it("an export of every key on every event, also with what says nothing", () => {
    const full = {
      ...{ name: "n", type: "command", command: "true", args: ["a"], timeout: 0, env: { A: "b" }, working_dir: "~" },
      ...{ on_error: "", run_on: "agent", network: true, model: "", prompt: "", schema: "" },
      ...(profile !== "2026-07" ? { strict_output: true } : {}),
    };
    for (const event of eventNames(profile)) {
      const asked = [{ [event]: [{ matcher: "x", hooks: [full] }] }, { [event]: [full] }];
      const taken = asked.flatMap((block) => {
        const parsed = parseHooks(block, profile);
        return parsed.ok ? [parsed.hooks] : [];
      });
      expect(taken).toHaveLength(1);
      for (const hooks of taken) expect(errorsOf(hooks, profile), event).toEqual([]);
    }
  });

  it("nothing that it should not", () => {
    const { file, block } = CHECKERS[profile];
    expect(file("hooks: {}")).not.toEqual([]);
    expect(file("agents: {}")).not.toEqual([]);
    expect(block("hooks: {stop: [{type: command}]}")).not.toEqual([]);
    expect(block("hooks: {stop: [{type: command, command: x, run_on: agent}]}")).not.toEqual([]);
    expect(block("hooks: {stop: [{type: command, command: x, timeout: 0}]}")).not.toEqual([]);
    expect(block("hooks: {pre_tool_use: [{matcher: x}]}")).not.toEqual([]);
  });
});
