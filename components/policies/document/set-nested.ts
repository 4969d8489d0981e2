/** A key below keys that may not be there yet. */
import type { Edit } from "@/components/policies/document/change";
import { setKey } from "@/components/policies/document/edits";
import { isFields } from "@/components/policies/document/intent";
import type { Value } from "@/components/policies/document/write";
import type { Path } from "@/components/policies/document/yaml-tree";

/**
 * Sets `keys`, each inside the one before it, below the mapping at `owner`, whose value is `fields`. Mappings that are missing
 * are made; `order` is that of the keys of `owner`.
 */
export function setNested(
  text: string,
  owner: Path,
  fields: unknown,
  [key, ...rest]: readonly [string, ...string[]],
  value: Value,
  order: readonly string[] = [],
): Edit {
  const [next, ...others] = rest;
  if (next === undefined) return setKey(text, owner, key, value, order);
  const inner = isFields(fields) ? fields[key] : undefined;
  if (isFields(inner) && Object.keys(inner).length > 0)
    return setNested(text, [...owner, key], inner, [next, ...others], value);
  const made = rest.reduceRight<Value>((of, name) => ({ [name]: of }), value);
  return setKey(text, owner, key, made, order);
}
