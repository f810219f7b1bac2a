import type { Recorded } from '../../../domain/shared/event.ts';
import type { ReadModelView, VerifiedChannel } from '../../ports/read-models.ts';
import type { ConcernedEvent } from '../concerns.ts';
import type { Findings } from '../findings.ts';
import { compareRows } from './compare.ts';
import type { Expectation } from './expectation.ts';

type Concerned = ConcernedEvent<'channel-list'>;
type Channel = { -readonly [K in keyof VerifiedChannel]: VerifiedChannel[K] };

/** Which channels are there, whether they are on, and what was charged for calls through each. */
export class ExpectedChannels implements Expectation<'channel-list'> {
  readonly name = 'channel-list';
  readonly #channels = new Map<string, Channel>();

  see({ event }: Recorded<Concerned>): void {
    if (event.type === 'RequestCharged') {
      const channel = this.#channels.get(String(event.data.call.channelId));
      if (channel !== undefined) channel.usedQuota += event.data.amount;
      return;
    }
    this.#change(event);
  }

  compare(view: ReadModelView, findings: Findings): Promise<number> {
    return compareRows<VerifiedChannel>({
      findings,
      table: 'channel_list.channels',
      rows: view.channels(),
      expected: new Map(this.#channels),
      keyOf: ({ id }) => String(id),
    });
  }

  #change(event: Exclude<Concerned, { type: 'RequestCharged' }>): void {
    if (event.type === 'ChannelCreated') {
      const { channelId: id, status } = event.data;
      this.#channels.set(String(id), { id, status, usedQuota: 0 });
      return;
    }
    const channel = this.#channels.get(String(event.data.channelId));
    if (channel === undefined) return;
    switch (event.type) {
      case 'ChannelEnabled':
      case 'ChannelAutoEnabled':
        channel.status = 1;
        return;
      case 'ChannelDisabled':
        channel.status = 2;
        return;
      case 'ChannelAutoDisabled':
        channel.status = 3;
        return;
      case 'ChannelDeleted':
        this.#channels.delete(String(channel.id));
        return;
    }
  }
}
