/** Sign-on by a company's own identity provider (OpenID Connect): where it is and who we are there. */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Administrator } from "../../access/actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Database } from "../../platform/db.ts";
import { type AddressRule, baseRefusal, hostOf } from "../../platform/outgoing/address-rule.ts";
import { opened, type Secrets, sealed } from "../../platform/secrets.ts";
import { type SaveSignOn, type SignOnView, storedSignOn } from "../schema.ts";
import * as settings from "./repository.ts";
import { requireFirstWorkspace } from "./require-first-workspace.ts";

const NAME = "sign-on";
/** A secret opens only for the provider it was meant for: moved to another one it is noise. */
const boundTo = (issuer: string) => `sign-on ${issuer}`;

export interface OpenSignOn {
  readonly version: number;
  readonly label: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The sign-on that the account pages use; null when none is set, or its secret can no longer be opened. */
export async function openSignOn(db: Database, credentialKey: Buffer): Promise<OpenSignOn | null> {
  const row = await settings.findSetting(db.prisma, NAME);
  if (!row?.sealed) return null;
  const stored = storedSignOn.parse(row.value);
  const clientSecret = opened(credentialKey, boundTo(stored.issuer), row.sealed);
  return clientSecret === null ? null : { ...stored, version: row.version, clientSecret };
}

export async function signOnVersion(db: Database): Promise<number> {
  return (await settings.findSetting(db.prisma, NAME))?.version ?? 0;
}

/** The button's text on the sign-in page; null without a provider. */
export async function signOnLabel(db: Database): Promise<string | null> {
  const row = await settings.findSetting(db.prisma, NAME);
  return row?.sealed ? storedSignOn.parse(row.value).label : null;
}

export async function signOn(db: Database, actor: Administrator, url: string): Promise<SignOnView> {
  await requireFirstWorkspace(db.prisma, actor);
  const row = await settings.findSetting(db.prisma, NAME);
  const callbackUrl = `${new URL(url).origin}/api/auth/callback/sign-on`;
  if (!row) return { callbackUrl, provider: null };
  return { callbackUrl, provider: { ...storedSignOn.parse(row.value), hasSecret: row.sealed !== null } };
}

export async function saveSignOn(
  db: Database,
  { secrets, providers }: { secrets: Pick<Secrets, "credentialKey">; providers: AddressRule },
  actor: Administrator,
  { clientSecret, ...value }: SaveSignOn,
): Promise<void> {
  // Checked before a name is resolved: a person without the permission must learn nothing about the network.
  await requireFirstWorkspace(db.prisma, actor);
  const says = await refusalOf(new URL(value.issuer), providers);
  if (says !== null) throw new AppError("invalid_input", undefined, { says, pointer: "/issuer" });
  await db.prisma.$transaction(async (tx) => {
    await requireFirstWorkspace(tx, actor);
    const before = await settings.findSetting(tx, NAME);
    const isSame = before !== null && storedSignOn.parse(before.value).issuer === value.issuer;
    if (clientSecret === undefined && !isSame)
      throw new AppError("invalid_input", undefined, { says: "Enter the client secret of the new provider." });
    const kept =
      clientSecret === undefined ? undefined : sealed(secrets.credentialKey, boundTo(value.issuer), clientSecret);
    await settings.saveSetting(tx, NAME, { value, sealed: kept, updatedBy: actor.name });
    await recordAudit(tx, actor, {
      kind: "sign_on_saved",
      version: 1,
      by: actor.name,
      issuer: value.issuer,
      clientId: value.clientId,
      secret: clientSecret === undefined ? "kept" : "set",
    });
  });
}

/** The reason why the server may not ask there, or null: for the address as written, and all of its name today. */
async function refusalOf(issuer: URL, providers: AddressRule): Promise<string | null> {
  const host = hostOf(issuer);
  const refusal = baseRefusal(providers, issuer);
  if (refusal !== null || isIP(host) !== 0) return refusal;
  const found = await lookup(host, { all: true }).catch(() => []);
  if (found.length === 0) return `This server cannot resolve the name ${host}.`;
  if (found.every(({ address }) => providers.allowsAddress(host, address))) return null;
  return `${host} is a private address. The operator allows it by listing it in QUARTERDECK_ALLOW_PRIVATE_SIGN_ON.`;
}

export async function removeSignOn(db: Database, actor: Administrator): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    await requireFirstWorkspace(tx, actor);
    if (!(await settings.deleteSetting(tx, NAME))) throw new AppError("not_found");
    await recordAudit(tx, actor, { kind: "sign_on_removed", version: 1, by: actor.name });
  });
}
