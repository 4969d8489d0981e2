import type { Tx } from "../../platform/db.ts";

/** Settings of the whole installation, by name. */
export function findSetting(tx: Tx, name: string) {
  return tx.installationSetting.findFirst({ where: { name } });
}

export interface NewSetting {
  readonly value: object;
  /** `undefined` keeps the stored secret. */
  readonly sealed?: Uint8Array | null | undefined;
  readonly updatedBy: string;
}

export async function saveSetting(tx: Tx, name: string, { value, sealed, updatedBy }: NewSetting): Promise<void> {
  const kept = sealed === undefined ? {} : { sealed: sealed === null ? null : new Uint8Array(sealed) };
  await tx.installationSetting.upsert({
    where: { name },
    create: { name, value, updatedBy, ...kept },
    update: { value, updatedBy, updatedAt: new Date(), version: { increment: 1 }, ...kept },
  });
}

export async function deleteSetting(tx: Tx, name: string): Promise<boolean> {
  return (await tx.installationSetting.deleteMany({ where: { name } })).count === 1;
}
