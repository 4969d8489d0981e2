/** A finding as CodeMirror shows it on hover: plain elements, because CodeMirror owns its tooltips. */

import type { TextFinding } from "@quarterdeck/hooks/contract/text/text-problems";
import { sentence } from "@/components/policies/check/sentence";
import { ruleHref, SEVERITY_WORDS } from "@/components/policies/check/severity-labels";

export function findingCard({ severity, message, why, fix, rule }: TextFinding): HTMLElement {
  const card = document.createElement("div");
  card.className = "flex flex-col gap-1";
  const { word, look } = SEVERITY_WORDS[severity];
  card.append(
    line(word, `font-semibold ${look}`),
    line(sentence(message)),
    line(why, "text-muted"),
    line(fix, "text-muted"),
  );
  const link = document.createElement("a");
  link.className = "link w-fit";
  link.href = ruleHref(rule);
  link.target = "_blank";
  link.textContent = `About ${rule}`;
  card.append(link);
  return card;
}

function line(text: string, look = ""): HTMLElement {
  const element = document.createElement("p");
  element.className = look;
  element.textContent = text;
  return element;
}
