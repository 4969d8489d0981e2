import type { FileType, MaskingLevel, ReceiverKind, SaveStream, StreamFormat } from "@/server/streams/schema";

export const RECEIVER_LABELS: Readonly<Record<ReceiverKind, string>> = {
  splunk: "Splunk HTTP Event Collector",
  elastic: "Elastic bulk API",
  http: "HTTPS, lines of JSON",
  syslog: "Syslog over TLS (RFC 5424)",
  s3: "Files in an S3-compatible store",
};

export const FORMAT_LABELS: Readonly<Record<StreamFormat, string>> = {
  ocsf: "OCSF 1.6.0",
  quarterdeck: "Quarterdeck JSON",
};

export const FILE_TYPE_LABELS: Readonly<Record<FileType, string>> = {
  ndjson: "Lines of JSON, gzipped",
  parquet: "Parquet",
};

export const MASKING_LABELS: Readonly<Record<MaskingLevel, string>> = {
  facts: "Facts only",
  masked: "Texts, with secrets masked again",
  stored: "Texts as stored",
};

export const AGENT_MODE_LABELS: Readonly<Record<SaveStream["agentsMode"], string>> = {
  all: "All agents",
  only: "Only these agents",
  except: "All agents except these",
};

/** The example of an address. */
export const ADDRESS_EXAMPLES: Readonly<Record<ReceiverKind, string>> = {
  splunk: "https://splunk.example.com:8088/services/collector/event",
  elastic: "https://elastic.example.com:9200",
  http: "https://siem.example.com/quarterdeck",
  syslog: "siem.example.com:6514",
  s3: "https://s3.eu-central-1.amazonaws.com",
};

interface SecretWords {
  readonly label: string;
  readonly help: string;
}

export const SECRET_WORDS: Readonly<Record<ReceiverKind, SecretWords>> = {
  splunk: { label: "Token", help: "The token of the collector." },
  elastic: { label: "API key", help: "The encoded key, which may create documents in the index." },
  http: {
    label: "Authorization header",
    help: "The whole value, such as Bearer abc. Leave it empty if none is needed.",
  },
  syslog: {
    label: "Client certificate and key",
    help: "In PEM, one after the other. Leave it empty if none is needed.",
  },
  s3: { label: "Secret access key", help: "The key may write objects in the bucket." },
};
