import type { ChannelId } from '../../domain/shared/ids.ts';
import type { Tier } from '../feeds/channel-directory.ts';
import type { UpstreamFailure } from '../upstream/types.ts';

/** Maximum of a provider's `Retry-After` that is applied. */
const maxSeconds = 600;
/** Many calls that end alike at one moment are reported once. */
const minNewsMs = 1_000;
const overloaded: ReadonlySet<number> = new Set([429, 503]);

/** For those who watch: from now on for so many seconds. */
type Report = (channelId: ChannelId, seconds: number) => void;

/** Channels that requested a pause; each relay keeps its own list. */
export class CoolDowns {
  private readonly until = new Map<ChannelId, number>();
  private readonly nowMs: () => number;
  private readonly report: Report;

  constructor(report: Report = () => undefined, nowMs: () => number = () => performance.now()) {
    this.report = report;
    this.nowMs = nowMs;
  }

  note(
    channelId: ChannelId,
    { upstreamStatus, error }: Pick<UpstreamFailure, 'upstreamStatus' | 'error'>,
  ): void {
    const seconds = Math.min(error.retryAfterSeconds ?? 0, maxSeconds);
    if (seconds <= 0 || !overloaded.has(upstreamStatus)) return;
    const until = this.nowMs() + seconds * 1_000;
    const isNews = until - (this.until.get(channelId) ?? 0) >= minNewsMs;
    this.until.set(channelId, until);
    if (isNews) this.report(channelId, seconds);
  }

  /** Without the channels that cool down, as long as others are left. */
  available(tiers: readonly Tier[]): readonly Tier[] {
    if (this.until.size === 0) return tiers;
    const rested = tiers
      .map(
        ({ priority, channels }): Tier => ({
          priority,
          channels: channels.filter(({ channelId }) => !this.isCooling(channelId)),
        }),
      )
      .filter(({ channels }) => channels.length > 0);
    return rested.length > 0 ? rested : tiers;
  }

  private isCooling(channelId: ChannelId): boolean {
    const until = this.until.get(channelId);
    if (until === undefined) return false;
    if (until > this.nowMs()) return true;
    this.until.delete(channelId);
    return false;
  }
}
