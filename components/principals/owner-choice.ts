/** The choice of an owner in a form: one list, and a name for a new service. */
import { z } from "zod";
import { type OwnerChoice, type OwnerChoices, ownerChoice } from "@/server/principals/schema";

export const NO_OWNER = "none";
export const NEW_SERVICE = "service";

/** The fields of the form. `owner` is `account:ID`, `principal:ID`, or one of the two words. */
export const ownerFields = { owner: z.string(), service: z.string() };

/** The chosen owner; null for an unknown person. Errors: a `ZodError` when the service has no name. */
export function ownerOf({ owner, service }: { readonly owner: string; readonly service: string }): OwnerChoice | null {
  if (owner === NO_OWNER) return null;
  if (owner === NEW_SERVICE) return ownerChoice.parse({ kind: "service", name: service });
  const [kind, id] = owner.split(":");
  return ownerChoice.parse(kind === "account" ? { kind, accountId: id } : { kind: "principal", principalId: id });
}

/** Adds the name of a new service to the checks of a form with these fields. */
export const hasServiceName = ({ owner, service }: { readonly owner: string; readonly service: string }): boolean =>
  owner !== NEW_SERVICE || ownerChoice.safeParse({ kind: "service", name: service }).success;

export function ownerOptions(choices: OwnerChoices | undefined): { value: string; label: string }[] {
  const members = choices?.members ?? [];
  const others = choices?.others ?? [];
  return [
    { value: NO_OWNER, label: "Unknown person" },
    ...members.map(({ accountId, name, isReader }) => ({
      value: `account:${accountId}`,
      label: isReader ? `${name} (you)` : name,
    })),
    ...others.map(({ id, name, kind }) => ({
      value: `principal:${id}`,
      label: kind === "service" ? `${name} (service)` : name,
    })),
    { value: NEW_SERVICE, label: "A new service…" },
  ];
}
