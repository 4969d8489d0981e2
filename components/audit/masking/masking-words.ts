import { plural } from "@/components/ui/format/count";
import { DETECTORS, type DetectorName, ID_COUNTRIES, type IdCountry } from "@/server/hooks/contract/masking-setting";

export const DETECTOR_LABELS: Readonly<Record<DetectorName, { label: string; help?: string }>> = {
  email: { label: "E-mail addresses" },
  phone: { label: "Phone numbers", help: "With a country code, or ten digits as in North America." },
  card: { label: "Payment cards", help: "Numbers of 13 to 19 digits that pass the Luhn check." },
  iban: { label: "Bank accounts (IBAN)", help: "Accounts whose country, length and check digits are right." },
};

export const COUNTRY_LABELS: Readonly<Record<IdCountry, string>> = {
  BE: "Belgium, Rijksregisternummer",
  BR: "Brazil, CPF",
  CH: "Switzerland, AHV",
  DE: "Germany, Steuer-ID",
  ES: "Spain, DNI and NIE",
  FR: "France, NIR",
  GB: "United Kingdom, NINO",
  IN: "India, Aadhaar",
  IT: "Italy, codice fiscale",
  NL: "Netherlands, BSN",
  PL: "Poland, PESEL",
  SE: "Sweden, personnummer",
  US: "United States, SSN",
};

/** A rule by the id under which its hits are counted. */
export function ruleLabel(rule: string, patterns: readonly { readonly id: string; readonly name: string }[]): string {
  const pattern = patterns.find(({ id }) => id === rule);
  if (pattern) return pattern.name;
  const detector = DETECTORS.find((one) => one === rule);
  if (detector) return DETECTOR_LABELS[detector].label;
  const country = ID_COUNTRIES.find((one) => `id_${one}` === rule);
  if (country) return COUNTRY_LABELS[country];
  return rule === "field" ? "Fields" : "A removed pattern";
}

/** A sentence about a rule, with the rule's number on the page: `part` is its list. */
export function problemText(part: unknown, index: unknown, says: string): string {
  const noun = part === "patterns" ? "Pattern" : part === "fields" ? "Field" : null;
  return noun !== null && typeof index === "number" ? `${noun} ${index + 1}: ${says}` : says;
}

export const hitsText = (hits: number): string => `${plural(hits, "hit")} in 7 days`;
