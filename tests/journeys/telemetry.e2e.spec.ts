import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { chat } from '../support/chat.ts';
import { type CollectedSpan, type Collector, startCollector } from '../support/collector.ts';
import { addChannel, addToken, setUpSite } from '../support/console-client.ts';
import { freePort } from '../support/free-port.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';
import { startStubProvider } from '../support/stub-provider/server.ts';

const secretPrompt = 'a prompt that no collector may have';

/**
 * A provider that names another model than the requested one, and refuses first where configured.
 */
const startProvider = async (refusals: number) => {
  const headers: IncomingHttpHeaders[] = [];
  let left = refusals;
  const server = createServer((req, res) => {
    req.resume();
    headers.push(req.headers);
    left -= 1;
    const isRefused = left >= 0;
    const answer = {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: 'gpt-4o-mini-2024-07-18',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 },
    };
    res.writeHead(isRefused ? 503 : 200, { 'content-type': 'application/json' });
    res.end(JSON.stringify(isRefused ? { error: { message: 'busy' } } : answer));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, headers };
};

const startSite = async (env: Readonly<Record<string, string>>): Promise<Product> => {
  const product = await startProduct({ env });
  onTestFinished(async () => {
    await product.kill();
    removeData(product);
  });
  return product;
};

const sending = (collector: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector,
  OTEL_BSP_SCHEDULE_DELAY: '50',
});

const openCollector = async (): Promise<Collector> => {
  const collector = await startCollector();
  onTestFinished(collector.close);
  return collector;
};

const traceWith = (collector: Collector, traceId: string, names: readonly string[]) =>
  eventually(async () => {
    const spans = collector.spans.filter((span) => span.traceId === traceId);
    expect(spans.map(({ name }) => name).sort()).toEqual([...names].sort());
    return (name: string): CollectedSpan => {
      const found = spans.find((span) => span.name === name);
      if (found === undefined) throw new Error(`no span ${name}`);
      return found;
    };
  }, 20_000);

const callNames = ['POST /v1/chat/completions', 'chat gpt-4o-mini', 'settle', 'project'];

test('one call is one trace, from the edge by the provider and the charge to what is shown', async () => {
  const collector = await openCollector();
  const product = await startSite(sending(collector.url));
  const provider = await startProvider(0);
  const admin = await setUpSite(product.url);
  await addChannel(admin, provider.url);
  const { key } = await addToken(admin);
  const outcome = await eventually(async () => {
    const one = await chat(product.url, key, {
      messages: [{ role: 'user', content: secretPrompt }],
    });
    expect(one.status).toBe(200);
    return one;
  });
  const edge = await eventually(async () => {
    const found = collector.spans.find(
      ({ attributes }) =>
        attributes['tollgate.request.id'] === outcome.requestId &&
        attributes['http.response.status_code'] === 200,
    );
    if (found === undefined) throw new Error('no span of the call');
    return found;
  }, 20_000);
  const span = await traceWith(collector, edge.traceId, callNames);
  const attempt = span('chat gpt-4o-mini');
  const settled = span('settle');
  const shown = span('project');

  expect(edge.kind).toBe(2);
  expect(edge.parentSpanId).toBeUndefined();
  expect(edge.resource).toMatchObject({ 'service.name': 'tollgate', 'tollgate.process': 'edge' });
  expect(attempt.kind).toBe(3);
  expect(attempt.parentSpanId).toBe(edge.spanId);
  expect(attempt.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-4o-mini',
    'gen_ai.response.model': 'gpt-4o-mini-2024-07-18',
    'gen_ai.usage.input_tokens': 11,
    'gen_ai.usage.output_tokens': 3,
    'server.address': '127.0.0.1',
  });
  expect(provider.headers.at(-1)?.traceparent).toBe(`00-${edge.traceId}-${attempt.spanId}-01`);
  expect(settled.parentSpanId).toBe(edge.spanId);
  expect(settled.resource['tollgate.process']).toBe('control');
  expect(shown.parentSpanId).toBe(settled.spanId);
  expect(shown.startMs).toBeGreaterThanOrEqual(settled.startMs);
  expect(attempt.startMs).toBeGreaterThanOrEqual(edge.startMs);

  // What waits is sent before the process ends, metrics among it: the registry's own figures.
  await product.stop();
  const charges = collector.metrics.filter(({ name }) => name === 'tollgate_charges_total');
  expect(charges.at(-1)?.sum).toMatchObject({ isMonotonic: true });
  expect(charges.at(-1)?.sum?.dataPoints[0]?.asDouble).toBe(
    collector.spans.filter(({ name }) => name === 'settle').length,
  );
  expect(collector.text()).not.toContain(secretPrompt);
  expect(collector.text()).not.toContain(key);
  expect(collector.text()).not.toContain('sk-upstream');
});

test("a caller's own trace continues to the provider, a failed attempt, the charge and what is shown", async () => {
  const collector = await openCollector();
  const product = await startSite(sending(collector.url));
  const provider = await startProvider(0);
  const busy = await startProvider(1);
  const admin = await setUpSite(product.url);
  await addChannel(admin, provider.url);
  const { key } = await addToken(admin);
  await eventually(async () => expect((await chat(product.url, key, {})).status).toBe(200));
  await admin.ok('PUT', '/api/option/', { key: 'RetryTimes', value: '2' });
  await addChannel(admin, busy.url, { name: 'busy', priority: 10 });
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const parent = '00f067aa0ba902b7';
  const call = (traceparent: string) =>
    fetch(`${product.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer sk-${key}`,
        'content-type': 'application/json',
        traceparent,
      },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] }),
    });
  await eventually(async () => {
    if (busy.headers.length > 0) return;
    const answer = await call(`00-${traceId}-${parent}-01`);
    expect(answer.status).toBe(200);
    expect(busy.headers.length).toBe(1);
  });
  const mine = await eventually(async () => {
    const spans = collector.spans.filter((span) => span.traceId === traceId);
    const failed = spans.find(({ isError }) => isError);
    if (failed === undefined) throw new Error('no failed attempt');
    const id = failed.parentSpanId;
    const own = spans.filter((span) => span.spanId === id || span.parentSpanId === id);
    expect(own).toHaveLength(4);
    return { failed, own, all: spans };
  }, 20_000);
  const edge = mine.own.find(({ kind }) => kind === 2);
  const settled = mine.own.find(({ name }) => name === 'settle');
  expect(mine.failed.attributes).toMatchObject({
    'gen_ai.request.model': 'gpt-4o-mini',
    'error.type': '503',
  });
  expect(busy.headers[0]?.traceparent).toBe(`00-${traceId}-${mine.failed.spanId}-01`);
  expect(edge?.parentSpanId).toBe(parent);
  expect(edge?.isError).toBe(false);
  await eventually(async () => {
    const shown = collector.spans.filter(({ parentSpanId }) => parentSpanId === settled?.spanId);
    expect(shown.map((span) => [span.name, span.traceId])).toEqual([['project', traceId]]);
  }, 20_000);

  // A caller that does not sample is not sampled here, and its provider gets that flag.
  const unsampled = 'a3ce929d0e0e47364bf92f3577b34da6';
  expect((await call(`00-${unsampled}-${parent}-00`)).status).toBe(200);
  expect(busy.headers.at(-1)?.traceparent).toMatch(new RegExp(`^00-${unsampled}-[0-9a-f]{16}-00$`));
  await product.stop();
  expect(collector.spans.filter((span) => span.traceId === unsampled)).toEqual([]);
});

test('a collector that is away disturbs neither calls nor the stop', async () => {
  const product = await startSite(sending(`http://127.0.0.1:${await freePort()}`));
  const provider = await startStubProvider();
  onTestFinished(provider.close);
  const admin = await setUpSite(product.url);
  await addChannel(admin, provider.url);
  const { key } = await addToken(admin);
  await eventually(async () => expect((await chat(product.url, key, {})).status).toBe(200));
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => chat(product.url, key, {})));
  expect(outcomes.every(({ complete }) => complete)).toBe(true);
  const begun = performance.now();
  await product.stop();
  expect(performance.now() - begun).toBeLessThan(20_000);
  expect(product.log()).toContain('telemetry could not be sent');
  expect(product.log()).not.toMatch(/fault; the process ends|child ended|could not stop cleanly/);
});

/** URLs of all scripts that the processes of a site loaded, as V8 wrote them at their ends. */
const scriptsOf = async (env: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const product = await startSite({ ...env, NODE_V8_COVERAGE: folder });
  await product.stop();
  return readdirSync(folder).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      result: readonly { url: string }[];
    };
    return result.map(({ url }) => url);
  });
};

test('no module of OpenTelemetry is loaded where no collector is configured', async () => {
  const collector = await openCollector();
  // The Prometheus client brings the interface package, which does nothing by itself.
  const isOfOpenTelemetry = (url: string) => /@opentelemetry\/(?!api\/)|telemetry-/.test(url);
  const without = await scriptsOf({});
  expect(without.some((url) => url.includes('prom-client'))).toBe(true);
  expect(without.filter(isOfOpenTelemetry)).toEqual([]);
  const withCollector = await scriptsOf(sending(collector.url));
  expect(withCollector.filter(isOfOpenTelemetry).length).toBeGreaterThan(10);
});
