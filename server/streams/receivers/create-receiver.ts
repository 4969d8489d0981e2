import type { ReceiverKind } from "../schema.ts";
import { createElastic, createHttp, createSplunk } from "./https.ts";
import type { Receiver, ReceiverSettings } from "./receiver.ts";
import { createS3 } from "./s3.ts";
import { createSyslog } from "./syslog.ts";

const CREATE_BY_KIND: Readonly<Record<ReceiverKind, (settings: ReceiverSettings) => Receiver>> = {
  splunk: createSplunk,
  elastic: createElastic,
  http: createHttp,
  syslog: createSyslog,
  s3: createS3,
};

export const createReceiver = (settings: ReceiverSettings): Receiver => CREATE_BY_KIND[settings.kind](settings);
