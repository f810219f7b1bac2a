import { expect, test, vi } from 'vitest';
import { type Bus, BusUnavailableError } from '../../../infra/ports/bus.ts';
import { patience, type Users } from './users.ts';

export const describeMessages = (users: Users): void => {
  test('a request is answered by whoever serves the subject', async () => {
    const [relay, keeper] = users();
    const stop = await keeper.serve('spec.double', async (body: { n: number }) => ({
      doubled: body.n * 2,
    }));
    const answers = await Promise.all(
      [1, 2, 3].map((n) => relay.request<object, { doubled: number }>('spec.double', { n })),
    );
    expect(answers).toEqual([{ doubled: 2 }, { doubled: 4 }, { doubled: 6 }]);
    await stop();
  });

  test('several servers share the requests of a subject', async () => {
    const [relay, keeper] = users();
    const answered = [0, 0];
    const serve = (bus: Bus, i: number) =>
      bus.serve('spec.shared', async () => {
        answered[i] = (answered[i] ?? 0) + 1;
        return answered[i];
      });
    const stops = [await serve(relay, 0), await serve(keeper, 1)];
    await Promise.all(Array.from({ length: 60 }, () => relay.request('spec.shared', null)));
    expect((answered[0] ?? 0) + (answered[1] ?? 0)).toBe(60);
    expect(Math.min(...answered)).toBeGreaterThan(0);
    for (const stop of stops) await stop();
  });

  test('an error of the server reaches the caller as an error', async () => {
    const [relay, keeper] = users();
    const stop = await keeper.serve('spec.broken', async () => {
      throw new RangeError('no such account');
    });
    const failure = relay.request('spec.broken', {});
    await expect(failure).rejects.toThrow('no such account');
    await expect(failure).rejects.toMatchObject({ name: 'RangeError' });
    await stop();
  });

  test('an answer may be nothing', async () => {
    const stop = await users()[1].serve('spec.nothing', async () => undefined);
    expect(await users()[0].request('spec.nothing', undefined)).toBeUndefined();
    await stop();
  });

  test('no responder, or none in time, is a BusUnavailableError', async () => {
    const [relay, keeper] = users();
    await expect(relay.request('spec.nobody', {})).rejects.toThrow(BusUnavailableError);
    const stop = await keeper.serve('spec.slow', () => new Promise(() => undefined));
    await expect(relay.request('spec.slow', {}, { timeoutMs: 50 })).rejects.toThrow(
      BusUnavailableError,
    );
    await stop();
    await expect(relay.request('spec.slow', {})).rejects.toThrow(BusUnavailableError);
  });

  test('a publication reaches all who listen, and no one who stopped', async () => {
    const [one, two] = users();
    const heard: string[] = [];
    const listen = (bus: Bus, name: string) =>
      bus.subscribe('spec.news', (body: { n: number }) => void heard.push(`${name}${body.n}`));
    const stops = [await listen(one, 'a'), await listen(two, 'b')];
    const stopC = await listen(two, 'c');
    one.publish('spec.news', { n: 1 });
    await vi.waitFor(() => expect(heard.toSorted()).toEqual(['a1', 'b1', 'c1']), patience);
    await stopC();
    two.publish('spec.news', { n: 2 });
    await vi.waitFor(() => expect(heard).toHaveLength(5), patience);
    expect(heard.slice(3).toSorted()).toEqual(['a2', 'b2']);
    for (const stop of stops) await stop();
  });
};
