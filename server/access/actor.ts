/** Who asks: a signed-in person, an admin's script with the data directory's token, or an agent with its key. */
export type Actor =
  | { readonly kind: "person"; readonly workspaceId: string; readonly id: string; readonly name: string }
  | { readonly kind: "script"; readonly workspaceId: string; readonly id: string; readonly name: string }
  | { readonly kind: "agent"; readonly workspaceId: string; readonly id: string; readonly name: string };

export type Administrator = Extract<Actor, { kind: "person" | "script" }>;
export type AgentActor = Extract<Actor, { kind: "agent" }>;
