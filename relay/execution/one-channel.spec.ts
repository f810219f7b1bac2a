import { afterEach, beforeEach } from 'vitest';
import {
  type Answer,
  aChannel,
  chatAnswer,
  chatBody,
  type Harness,
  json,
  type Reply,
  startHarness,
  startUpstream,
  type UpstreamSpy,
  usageOf,
} from '../relay-harness.spec.ts';

export type Scene = {
  relay: Harness;
  upstream: UpstreamSpy;
  /** What the provider says next. */
  answer: Answer;
  chat: (more?: object) => Promise<Reply>;
  /** The one channel, with these settings. */
  put: (settings: Parameters<typeof aChannel>[1]) => Promise<void>;
  /** What went up last. */
  sent: () => ReturnType<typeof JSON.parse>;
};

/** A relay with one channel for each test of a file. */
export const oneChannel = (): Scene => {
  const usual = json(chatAnswer(usageOf(10, 5)));
  const scene = {
    answer: usual,
    chat: (more = {}) => scene.relay.send('/v1/chat/completions', chatBody(more)),
    put: (settings) =>
      scene.relay.put.channel(aChannel(1, { baseUrl: scene.upstream.url, ...settings })),
    sent: () => JSON.parse(scene.upstream.requests.at(-1)?.body.toString() ?? ''),
  } as Scene;
  beforeEach(async () => {
    scene.relay = await startHarness({ tickMs: 10 });
    scene.answer = usual;
    scene.upstream = await startUpstream((req, res, body) => scene.answer(req, res, body));
    await scene.put({});
  });
  afterEach(async () => {
    scene.upstream.close();
    await scene.relay.close();
  });
  return scene;
};
