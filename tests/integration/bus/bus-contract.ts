import { afterAll, beforeAll, describe } from 'vitest';
import type { Bus } from '../../../infra/ports/bus.ts';
import { describeFeeds } from './feed-contract.ts';
import { describeKeyValue } from './key-value-contract.ts';
import { describeMessages } from './message-contract.ts';
import { describeQueue } from './queue-contract.ts';

/** Hands out users of one and the same bus; they may share a connection. */
export type BusUnderTest = Readonly<{
  connect: () => Promise<Bus>;
  close: () => Promise<void>;
}>;

/** What every adapter of the bus promises. */
export const describeBus = (title: string, start: () => Promise<BusUnderTest>): void => {
  describe(title, () => {
    let underTest: BusUnderTest;
    let one: Bus;
    let two: Bus;
    beforeAll(async () => {
      underTest = await start();
      one = await underTest.connect();
      two = await underTest.connect();
    });
    afterAll(async () => {
      await underTest.close();
    });

    describeFeeds(() => [one, two]);
    describeQueue(() => [one, two]);
    describeKeyValue(() => [one, two]);
    describeMessages(() => [one, two]);
  });
};
