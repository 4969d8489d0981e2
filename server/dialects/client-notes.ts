/** Handwritten notes on each client. docs/clients/*.md show them between the generated tables. */
import type { ClientName } from "./schema.ts";

interface ClientNotes {
  /** The client versions that the tables were checked against. */
  readonly versions: string;
  readonly notes: readonly string[];
  /** Markdown: the location of the client's telemetry settings (docs/client-telemetry.md). */
  readonly telemetry?: readonly string[];
}

export const CLIENT_NOTES: Readonly<Record<ClientName, ClientNotes>> = {
  "docker-agent": {
    versions: "Sources from 1.58 on, and 1.123.0 as a program.",
    notes: [
      "Policies are written in its words, so nothing is translated and nothing is lost.",
      "The enrolment writes `hooks.d/50-quarterdeck.yaml` below `~/.config/cagent`, or below `DOCKER_AGENT_CONFIG_DIR` (`CAGENT_CONFIG_DIR`). It governs every agent of the user.",
      "docker-agent skips a whole drop-in file for one key or event that it does not know, and says so only in its log. The file therefore has only what the installed release knows. `docker-agent version` is asked when you enrol: enrol again after an update.",
      "From 1.138 on the file has `tool_input_transform` and `tool_guard`, which no mode and no permission skips. From 1.100 on it has `pre_tool_use` with `preempt_yolo` in their place. An older docker-agent is refused. Without a version, the file has the older form.",
      "The first gate before a tool asks for the later ones too. docker-agent skips the default lane of `pre_tool_use` with `--yolo` and for tools that a permission allows. The later gates get the recorded answer. With `--yolo`, a hook there that changes the call is a denial. Write such a hook on `tool_input_transform`. A tool that a permission allows runs without a change made on the default lane.",
      "After writing, the enrolment reads `hooks.d` and `settings.hooks` by docker-agent's rules, and names each file that docker-agent skips.",
      "The file has no control events: with one, docker-agent loads no agent without `routing`.",
      "An agent whose own file has the block of Agents, New agent asks twice when its user is enrolled. Remove the block.",
      "Hooks may also be in the agent's own file, below `agents.NAME.hooks`. Agents, New agent shows the block to paste.",
      "`updated_input` is merged into the arguments key by key. Every other client replaces all of them, and gets the merged object.",
      "A gate on `pre_tool_use` needs `preempt_yolo: true`. Otherwise `--yolo` skips it.",
    ],
  },
  "claude-code": {
    versions: "2.1.330 and 2.1.332, and 2.1.197 for what differs.",
    notes: [
      "Only managed settings enforce. With `allowManagedHooksOnly` no other hooks run, and `disableAllHooks` of a user does not touch them.",
      "A question is refused when no person is at the client, and also under the bypass mode of permissions.",
      "A changed result must have the shape of the tool's own response, or the client shows the model the original. Where no shape fits, the run is ended.",
      "A prompt event may come from a background agent that reports back, and not from a person.",
      "Cursor, GitHub Copilot CLI and Qwen Code run hooks of a project's `.claude/settings.json` too. Their payloads identify them.",
    ],
    telemetry: [
      "An enrolment of a user, or of every user, writes the settings. `--no-telemetry` leaves them out. Another receiver stays.",
      "A project's settings get none, because the client ignores variables of an exporter there.",
      "",
      "```json",
      "{",
      '  "env": {',
      '    "CLAUDE_CODE_ENABLE_TELEMETRY": "1",',
      '    "OTEL_LOGS_EXPORTER": "otlp",',
      '    "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",',
      '    "OTEL_EXPORTER_OTLP_ENDPOINT": "https://console.example/api/otlp",',
      '    "OTEL_LOG_USER_PROMPTS": "0"',
      "  },",
      '  "otelHeadersHelper": "sed -n ..."',
      "}",
      "```",
      "",
      "`otelHeadersHelper` prints the file with the agent's key, so that the key is in no settings.",
    ],
  },
  codex: {
    versions: "0.169.0 and 0.171.0.",
    notes: [
      "It checks answers strictly. For one unknown key it discards the whole answer, and the tool runs. So it gets the smallest answers of all.",
      "Shell calls are named `Bash`, whatever tool made them. The files of an `apply_patch` are in the text of the patch.",
      "Hooks of a user or project wait until a person has trusted their exact text with `/hooks`. Managed ones need no trust.",
      "Hooks on the end of a session and on an interruption have 3 seconds, whatever is asked for.",
    ],
    telemetry: [
      "An enrolment of a user writes them to `~/.codex/config.toml`. The file holds the key, so the enrolment makes it private. The endpoint is the whole",
      "address. `--no-telemetry` leaves them out. Another `otel.exporter` stays. A project and every user get none: others can read their files.",
      "",
      "```toml",
      "[otel]",
      "log_user_prompt = false",
      "",
      "[otel.exporter.otlp-http]",
      'endpoint = "https://console.example/api/otlp/v1/logs"',
      'protocol = "binary"',
      "",
      "[otel.exporter.otlp-http.headers]",
      'Authorization = "Bearer qd_..."',
      "```",
    ],
  },
  copilot: {
    versions: "CLI 1.0.102.",
    notes: [
      "Events have two spellings with two payloads. An enrolment uses the one that begins with a capital, which names the event in the body.",
      "No objection is an empty answer, never an allow: an allow would overrule the user's own denied tools.",
      "The client denies a question without a person to answer it, headless or on autopilot.",
      "HTTP hooks that gate work only over https. An enrolment writes commands.",
    ],
  },
  cursor: {
    versions: "Types and hook executor of the SDK 1.0.32. The client itself was not run.",
    notes: [
      "Only `preToolUse` has an id and can change a call. So an enrolment gates there, and not on the events for shell and MCP.",
      "An enrolment sets `failClosed` on gates. Without it, a hook that fails lets the call run.",
      "Results of built-in tools cannot be changed or held back. Keep secrets out of reach by denying calls before they run.",
    ],
  },
  gemini: {
    versions: "0.61.0.",
    notes: [
      "Asking works when a person is at the terminal. Headless, a question would never end. So it is denied, unless the enrolment says that a person is there.",
      "Its time-outs are milliseconds. A time-out of 30 ends before any hook has answered, and the tool runs.",
      "`PreCompress` comes before every model call, whether anything is compacted or not.",
      "System settings are ignored when others may write to their folder, and a user can switch a system hook off by its name.",
    ],
    telemetry: [
      "An enrolment of a user writes them to `~/.gemini/settings.json`, and the key to `~/.gemini/.env`, which only that user may read. `--no-telemetry` leaves",
      "them out. Another receiver stays. A project's `.env` is read instead of this one: set the variable there too.",
      "",
      "```json",
      "{",
      '  "telemetry": {',
      '    "enabled": true, "target": "local", "otlpProtocol": "http", "otlpEndpoint": "https://console.example/api/otlp", "logPrompts": false',
      "  }",
      "}",
      "```",
      "",
      "```sh",
      'OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer qd_..."',
      "```",
      "",
      "It exports traces too. The console refuses them, because it does not read them.",
    ],
  },
  qwen: {
    versions: "0.24.4.",
    notes: [
      "It has Claude Code's events and answers, and Gemini CLI's names of tools.",
      "It ignores a changed call and runs the original. Such a call is denied here.",
      "npm installs version 0.15 where Node is older than 22. It counts every time-out in milliseconds. So an enrolment writes milliseconds, which later versions accept too.",
      "It runs a call 60 seconds after it asked its hooks, whatever time-out they have. So a person has 45 seconds to answer, and then the call is denied.",
      "It lets a call run on every failure but exit code 2 with words. An enrolment writes a command that fails in just this way.",
    ],
  },
  cline: {
    versions: "3.0.65.",
    notes: [
      "Hooks are programs named after the event in `~/.cline/hooks`. A program of another origin there is left alone, and the enrolment refuses.",
      "It can neither ask nor change anything. A question and a change of a call deny. A change of a result ends the run before the model sees it.",
      "A denial ends the whole run, not the call alone.",
    ],
  },
  opencode: {
    versions: "1.18.33.",
    notes: [
      "It has no hooks but plugins. The enrolment writes one, which asks over HTTP in native words. It needs no `curl`.",
      "It holds while the file stays in its place. Managed settings are the most reliable form.",
    ],
  },
};
