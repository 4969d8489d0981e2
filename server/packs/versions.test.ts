/** A pack's text changes only with its version: whoever installed it is told of the newer one by that number alone. */
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { PACKS } from "./registry.ts";

const hashOf = (source: string) => createHash("sha256").update(source).digest("hex").slice(0, 16);

/** Every version that was ever released, with the first half of its text's sha256. A line is added, never changed. */
const RELEASED: Readonly<Record<string, string>> = {
  "catastrophe-only 1": "f62ffc25d34fefda",
  "catastrophe-only 2": "53ab98f5dd7564d1",
  "catastrophe-only 3": "8920b7d5ab43f3f1",
  "catastrophe-only 4": "77aa3bdfd1ab295c",
  "catastrophe-only 5": "bc735bb0b62d5e1c",
  "secrets-out 1": "cd1a2d256ad0a59d",
  "secrets-out 2": "8e98802c0aa8ba1b",
  "secrets-out 3": "9718a1862e3211fc",
  "git-safety 1": "4647ea828455b63a",
  "git-safety 2": "91db880ab9348044",
  "git-safety 3": "e3ba212aa11291c1",
  "git-safety 4": "48ebb97a285a2baa",
  "git-safety 5": "7aba7ef659386f39",
  "package-installs 1": "3b70982dc3edd959",
  "package-installs 2": "1078e412e9f07c0e",
  "package-installs 3": "b83140a620c51346",
  "package-installs 4": "f7b28d4eb18fdc45",
  "package-installs 5": "e5d020bed9df947a",
  "protected-paths 1": "46affb832921485b",
  "protected-paths 2": "48b020a5a6c508a1",
  "protected-paths 3": "72e34e07942ad561",
  "protected-paths 4": "a50afdd61ccd156b",
  "protected-paths 5": "9623a52e813f8ae8",
  "network-egress 1": "3a432e1cdec438ed",
  "network-egress 2": "7f9650cff2ed1dde",
  "network-egress 3": "b39fbf727321576e",
  "network-egress 4": "e42f875a0d1621d8",
  "network-egress 5": "b3267523ee05762f",
  "cloud-clis 1": "838b07066bc7f7a6",
  "cloud-clis 2": "51f7901f6ea22942",
  "cloud-clis 3": "08565111c1f3dc21",
  "cloud-clis 4": "15b9b07ece563581",
  "cloud-clis 5": "6bc53acb1fcd149e",
  "database-care 1": "6b7d24473743c703",
  "database-care 2": "367cd34de16c2375",
  "database-care 3": "f06e61d1e460f502",
  "database-care 4": "37515cc85a65534d",
  "database-care 5": "59b84f7a27c51c25",
  "sequences 1": "1e543b191f47f9d2",
  "sequences 2": "3dcf7c289163c6c9",
  "read-only-agent 1": "80b2f8c3eacee477",
  "read-only-agent 2": "28bcfa08f428b4a6",
  "read-only-agent 3": "e35d5a5a1400891b",
  "read-only-agent 4": "de0fbec10e2006c5",
  "read-only-agent 5": "ae138070004c4d9e",
  "prompt-hygiene 1": "594621fd31ef7c13",
  "prompt-hygiene 2": "1d5d33d7aa7df86e",
  "prompt-hygiene 3": "5695293e3f690473",
  "prompt-hygiene 4": "21482083a0fac2ea",
  "prompt-hygiene 5": "8a6eae6210d974d0",
  "compaction-steward 1": "c44b925e247965f4",
  "compaction-steward 2": "09442201f91786d1",
  "compaction-steward 3": "106f1ef7441cde5c",
  "compaction-steward 4": "cabeab40bfa42f5e",
  "budget-guard 1": "77478f17cfb0fd89",
  "budget-guard 2": "bc5226b06977eeab",
  "budget-guard 3": "89900069c2d4b9c2",
  "budget-guard 4": "7b2ae88c95b22708",
  "audit-everything 1": "561b53f694ba217e",
  "audit-everything 2": "9769078a4c27f42e",
  "audit-everything 3": "d6a2e2ec6828f4f6",
  "judge-with-filter 1": "2a6b5dce8948d4b1",
  "judge-with-filter 2": "a8ec07af8d0f4cac",
  "judge-with-filter 3": "527a86dcb1c48cb1",
  "judge-with-filter 4": "13ce261b051a2f89",
  "judge-with-filter 5": "1023a16207ea3c76",
  "judge-with-filter 6": "58f77536c7a1602e",
};

const ADVICE =
  "The text of a pack changed. Raise its version and add a line here; do not change the one that is there.";

it.each(PACKS.map((pack) => [pack.id, pack] as const))("%s has the text of its version", (id, { version, source }) => {
  expect(RELEASED[`${id} ${version}`], ADVICE).toBe(hashOf(source));
});

it("every version between the first and the present one was released, and no two have one text", () => {
  for (const { id, version } of PACKS)
    for (let earlier = 1; earlier <= version; earlier += 1) expect(RELEASED).toHaveProperty([`${id} ${earlier}`]);
  expect(new Set(Object.values(RELEASED)).size).toBe(Object.keys(RELEASED).length);
});

it("a changed text would be noticed", () => {
  const [pack] = PACKS;
  expect(hashOf(`${pack?.source} `)).not.toBe(RELEASED[`${pack?.id} ${pack?.version}`]);
});
