import type { Incoming } from '../admission/admitted.ts';
import { redactText } from '../delivery/redaction.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { parseObject, textAt } from '../protocol/json.ts';
import { isRetryableStatus } from '../routing/retry.ts';
import type { HttpReply } from '../upstream/types.ts';
import { callProvider } from './call-provider.ts';
import { refusedBy, type Submission } from './job.ts';
import type { MusicCall } from './music-call.ts';
import { type MusicRefusal, musicRefusal, songRefusal } from './music-error.ts';
import type { NoAnswer } from './provider-reply.ts';
import { tracedTask } from './task-trace.ts';

const submitTimeoutMs = 120_000;

type Attempt = Readonly<{ call: MusicCall; channel: UpstreamChannel }>;

const send = (core: RelayCore, incoming: Incoming, { call, channel }: Attempt) => {
  const { headers } = incoming.req;
  return callProvider(core, channel, {
    method: 'POST',
    path: `/suno/submit/${call.action}`,
    headers: {
      'content-type': headers['content-type'] ?? 'application/json',
      accept: headers.accept ?? 'application/json',
      authorization: `Bearer ${channel.key}`,
    },
    body: call.body,
    timeoutMs: submitTimeoutMs,
    traced: tracedTask(incoming, 'suno', call.model),
  });
};

const refused = (refusal: MusicRefusal, mayRetry: boolean): Submission =>
  refusedBy(songRefusal(refusal), mayRetry);

/** A provider that did not answer may have accepted the task: no other one is tried then. */
const read = (reply: HttpReply | NoAnswer, channel: UpstreamChannel): Submission => {
  if (typeof reply === 'string') {
    const failed = musicRefusal(500, 'do_request_failed', 'The upstream request failed');
    return refused(failed, reply === 'unreachable');
  }
  const { status, body } = reply;
  const value = parseObject(body.toString('utf8'));
  if (status !== 200) {
    const message = value === null ? '' : redactText(channel, textAt(value, 'message'));
    const shown = status >= 400 && status <= 599 ? status : 502;
    const refusal = musicRefusal(shown, 'fail_to_fetch_task', message || `status ${status}`);
    return refused(refusal, isRetryableStatus(status, channel.type));
  }
  if (value === null) {
    return refused(musicRefusal(500, 'unmarshal_response_body_failed'), true);
  }
  const code = textAt(value, 'code');
  const upstreamId = textAt(value, 'data').slice(0, 256);
  if (code === 'success' && upstreamId !== '') {
    return { kind: 'taken', upstreamId, shown: () => value };
  }
  const message = redactText(channel, textAt(value, 'message'));
  return refused(musicRefusal(500, code || 'invalid_response', message), true);
};

/** Requests a song from one provider. */
export const submitSong = async (
  core: RelayCore,
  incoming: Incoming,
  attempt: Attempt,
): Promise<Submission> => read(await send(core, incoming, attempt), attempt.channel);
