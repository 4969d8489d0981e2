/** The clients that are enrolled with files, and the settings scopes of each. The browser reads this module too. */
export const ENROLMENT_SCOPES = ["user", "project", "managed"] as const;
export type EnrolmentScope = (typeof ENROLMENT_SCOPES)[number];

export interface EnrolledClientInfo {
  readonly title: string;
  /** The most common first. */
  readonly scopes: readonly EnrolmentScope[];
}

/** Every client, the native one first. */
export const ENROLLED_CLIENTS = {
  "docker-agent": { title: "docker-agent", scopes: ["user"] },
  "claude-code": { title: "Claude Code", scopes: ENROLMENT_SCOPES },
  codex: { title: "Codex", scopes: ENROLMENT_SCOPES },
  copilot: { title: "GitHub Copilot CLI", scopes: ["user", "project"] },
  cursor: { title: "Cursor", scopes: ENROLMENT_SCOPES },
  gemini: { title: "Gemini CLI", scopes: ENROLMENT_SCOPES },
  qwen: { title: "Qwen Code", scopes: ENROLMENT_SCOPES },
  cline: { title: "Cline", scopes: ["user"] },
  opencode: { title: "opencode", scopes: ENROLMENT_SCOPES },
} as const satisfies Record<string, EnrolledClientInfo>;

export type EnrolledClient = keyof typeof ENROLLED_CLIENTS;
export const ENROLLED_CLIENT_NAMES = Object.keys(ENROLLED_CLIENTS) as [EnrolledClient, ...EnrolledClient[]];

/** The client names in the record, the filters and the addresses. Every client is enrolled with files. */
export const CLIENT_NAMES = [...ENROLLED_CLIENT_NAMES] as const;
export type ClientName = EnrolledClient;

export function isClientName(name: string): name is ClientName {
  return CLIENT_NAMES.some((known) => known === name);
}

/**
 * True for a client whose hooks can come only from enrolment files. False for the native protocol, which programs also send over
 * plain HTTP.
 */
export const isEnrolledByFiles = (client: string | null): boolean =>
  client !== null && client !== "docker-agent" && Object.hasOwn(ENROLLED_CLIENTS, client);

export const clientTitle = (name: ClientName): string => ENROLLED_CLIENTS[name].title;
