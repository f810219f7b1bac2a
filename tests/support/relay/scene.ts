import { afterEach, beforeEach, expect } from 'vitest';
import {
  type Answer,
  aChannel,
  chatAnswer,
  chatBody,
  type Harness,
  type HarnessSettings,
  json,
  type Reply,
  startHarness,
  startUpstream,
  type UpstreamSpy,
  usageOf,
} from './relay-harness.ts';

export type Scene = {
  relay: Harness;
  upstream: UpstreamSpy;
  /** The provider's next answer. */
  answer: Answer;
  chat: (more?: object) => Promise<Reply>;
  /** The one channel, with these settings. */
  put: (settings?: Parameters<typeof aChannel>[1]) => Promise<void>;
  /** What went up last. */
  sent: () => ReturnType<typeof JSON.parse>;
};

type SceneOptions = Readonly<{
  settings?: HarnessSettings;
  /** The provider's answer where a test does not set it. */
  usual?: Answer;
  /** false: the test puts its channel itself. */
  hasChannel?: boolean;
  /** Of each test, once its relay is closed. */
  afterwards?: (relay: Harness) => void;
}>;

/**
 * For each test of a file: a relay with one channel, and a provider that answers as the test
 * configures.
 */
export const relayScene = ({
  settings = {},
  usual = json(chatAnswer(usageOf(10, 5))),
  hasChannel = true,
  afterwards,
}: SceneOptions = {}): Scene => {
  const scene = {
    answer: usual,
    chat: (more = {}) => scene.relay.send('/v1/chat/completions', chatBody(more)),
    put: (channel = {}) =>
      scene.relay.put.channel(aChannel(1, { baseUrl: scene.upstream.url, ...channel })),
    sent: () => JSON.parse(scene.upstream.requests.at(-1)?.body.toString() ?? ''),
  } as Scene;
  beforeEach(async () => {
    scene.relay = await startHarness(settings);
    scene.answer = usual;
    scene.upstream = await startUpstream((req, res, body) => scene.answer(req, res, body));
    if (hasChannel) await scene.put();
  });
  afterEach(async () => {
    scene.upstream.close();
    await scene.relay.close();
    afterwards?.(scene.relay);
  });
  return scene;
};

/** The same without waiting for a tick. */
export const oneChannel = (): Scene => relayScene({ settings: { tickMs: 10 } });

/** The same; whatever a test did, each admitted request has one outcome and gave its quota back. */
export const sceneWithOutcomes = (settings: HarnessSettings): Scene =>
  relayScene({
    settings,
    afterwards: ({ journal, leases }) => {
      expect(journal.outcomes.length).toBe(journal.startedEntries.length);
      const ids = new Set(journal.outcomes.map(({ call }) => call.requestId));
      expect(ids.size).toBe(journal.outcomes.length);
      expect(leases.open).toBe(0);
    },
  });
