import { quote, usage } from '../pricing/shapes.ts';
import { instant, nullable, object, optional, text, whole } from '../shared/shape.ts';
import { dataOf, type Shapes, withPersonal } from '../shared/shapes.ts';
import type {
  TaskAccepted,
  TaskEvent,
  TaskFailed,
  TaskProgressed,
  TaskRemoved,
  TaskReport,
  TaskSettled,
  TaskSubmitted,
  TaskSucceeded,
} from './events.ts';

const taskId = text;
const report = object<TaskReport>({
  status: text,
  progress: text,
  promptEn: text,
  description: text,
  state: text,
  submitTime: whole,
  startTime: whole,
  finishTime: whole,
  imageUrl: text,
  failReason: text,
  buttons: text,
  properties: text,
  data: text,
});

const reported = { taskId, userId: optional(whole), report, ...withPersonal };

export const taskShapes: Shapes<TaskEvent> = {
  TaskSubmitted: dataOf<TaskSubmitted>({
    taskId,
    platform: text,
    userId: whole,
    tokenId: whole,
    channelId: whole,
    action: text,
    model: text,
    group: text,
    prompt: text,
    state: text,
    properties: text,
    submittedAt: instant,
    ...withPersonal,
  }),
  TaskAccepted: dataOf<TaskAccepted>({
    taskId,
    platform: text,
    userId: whole,
    channelId: whole,
    upstreamId: text,
    code: whole,
    description: text,
    quota: whole,
    acceptedAt: instant,
    properties: text,
    quote: optional(quote),
    ...withPersonal,
  }),
  TaskProgressed: dataOf<TaskProgressed>(reported),
  TaskSucceeded: dataOf<TaskSucceeded>(reported),
  TaskSettled: dataOf<TaskSettled>({
    taskId,
    userId: whole,
    usage,
    amount: whole,
    refund: whole,
  }),
  TaskFailed: dataOf<TaskFailed>({
    taskId,
    userId: whole,
    source: text,
    code: nullable(whole),
    reason: text,
    quota: whole,
    report: nullable(report),
    ...withPersonal,
  }),
  TaskRemoved: dataOf<TaskRemoved>({ taskId, userId: whole }),
};
