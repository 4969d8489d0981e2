/** The parts of a masking that a change takes away. */
import type { DetectorName, IdCountry, MaskingSetting } from "@quarterdeck/hooks/contract/masking-setting";

/** In words, for people; empty when the change only adds. A pattern with another text is another pattern. */
export function lossesOf(before: MaskingSetting, after: MaskingSetting): readonly string[] {
  const patterns = new Set(after.patterns.map(({ pattern }) => pattern));
  const fields = new Set(after.fields.map(fieldText));
  return [
    ...before.patterns.filter(({ pattern }) => !patterns.has(pattern)).map(({ name }) => `the pattern ${name}`),
    ...before.fields.map(fieldText).filter((field) => !fields.has(field)),
    ...before.detectors.filter((one) => !after.detectors.includes(one)).map((one) => DETECTOR_WORDS[one]),
    ...before.nationalIds.filter((one) => !after.nationalIds.includes(one)).map(idWords),
  ];
}

export const fieldText = ({ tool, path }: MaskingSetting["fields"][number]): string => `${path} of ${tool}`;

const DETECTOR_WORDS: Readonly<Record<DetectorName, string>> = {
  email: "e-mail addresses",
  phone: "phone numbers",
  card: "payment cards",
  iban: "bank accounts",
};
const idWords = (country: IdCountry): string => `national ids of ${country}`;
