import { describe, expect, test } from 'vitest';
import { responseBucket } from '../../../domain/relay/response-bucket.ts';
import { conversationReader, model, responsesScene } from '../../support/relay/responses-scene.ts';

const scene = responsesScene();
const { itemsOf, textsOf } = conversationReader(scene);

describe('a conversation by itself', () => {
  test('is made, shown, changed and removed, in the shapes of the API, at no charge', async () => {
    const { conversations } = scene.client;
    const made = await conversations.create({
      metadata: { topic: 'demo' },
      items: [{ type: 'message', role: 'user', content: 'Hello!' }],
    });
    expect(made).toEqual({
      id: expect.stringMatching(/^conv_/),
      object: 'conversation',
      created_at: expect.any(Number),
      metadata: { topic: 'demo' },
    });
    expect(await conversations.retrieve(made.id)).toEqual(made);
    const changed = await conversations.update(made.id, { metadata: { topic: 'other' } });
    expect(changed).toEqual({ ...made, metadata: { topic: 'other' } });
    expect(await conversations.retrieve(made.id)).toEqual(changed);
    expect(await itemsOf(made.id)).toEqual([
      {
        type: 'message',
        id: expect.stringMatching(/^msg_/),
        status: 'completed',
        role: 'user',
        content: [{ type: 'input_text', text: 'Hello!' }],
      },
    ]);
    expect(await conversations.delete(made.id)).toEqual({
      ...{ id: made.id, object: 'conversation.deleted', deleted: true },
    });
    await expect(conversations.retrieve(made.id)).rejects.toMatchObject({ status: 404 });
    expect(scene.relay.journal.startedEntries).toEqual([]);
  });

  test('its items are listed page by page, shown and removed one by one', async () => {
    const { conversations } = scene.client;
    const { id, ...rest } = await conversations.create();
    expect(rest).toMatchObject({ object: 'conversation', metadata: {} });
    const added = await conversations.items.create(id, {
      items: ['one', 'two', 'three'].map((content) => ({ role: 'user', content })),
    });
    expect(added).toMatchObject({ object: 'list', has_more: false });
    const [one, two, three] = added.data.map((item) => String(item.id));
    expect([added.first_id, added.last_id]).toEqual([one, three]);
    const newest = await scene.client.get<unknown>(`/conversations/${id}/items?limit=2`);
    expect(newest).toEqual({
      object: 'list',
      data: [added.data[2], added.data[1]],
      first_id: three,
      last_id: two,
      has_more: true,
    });
    const rest2 = `/conversations/${id}/items?limit=2&after=${two}`;
    expect(await scene.client.get<unknown>(rest2)).toMatchObject({
      ...{ data: [added.data[0]], first_id: one, has_more: false },
    });
    const at = { conversation_id: id };
    expect(await conversations.items.retrieve(String(two), at)).toEqual(added.data[1]);
    expect(await conversations.items.delete(String(two), at)).toMatchObject({
      ...{ id, object: 'conversation' },
    });
    expect(await textsOf(id)).toEqual([
      ['user', 'one'],
      ['user', 'three'],
    ]);
    await expect(conversations.items.retrieve(String(two), at)).rejects.toMatchObject({
      ...{ status: 404, message: expect.stringContaining(`item with id '${two}' not found.`) },
    });
  });

  test('an invalid body is refused with the reason', async () => {
    const { conversations } = scene.client;
    const items = Array.from({ length: 21 }, () => ({ role: 'user' as const, content: 'x' }));
    const wrong: readonly (readonly [Parameters<typeof conversations.create>[0], string])[] = [
      [{ items }, 'items takes at most 20 at a time'],
      [{ metadata: { a: 'x'.repeat(513) } }, 'texts of at most 512 characters'],
      [JSON.parse('{"metadata":{"a":1}}'), 'metadata takes names'],
      [JSON.parse('{"items":["x"]}'), 'items must hold items'],
    ];
    for (const [body, text] of wrong) {
      await expect(conversations.create(body)).rejects.toMatchObject({
        ...{ status: 400, type: 'invalid_request_error', message: expect.stringContaining(text) },
      });
    }
  });

  test('its calls are limited like others', async () => {
    await scene.relay.put.option('call_limits.users', '{"*":{"requests_per_minute":2}}');
    const { conversations } = scene.client;
    const { id } = await conversations.create();
    await conversations.retrieve(id);
    await expect(conversations.retrieve(id)).rejects.toMatchObject({ status: 429 });
  });

  test('belongs to its owner, is sealed, and is off with the option of responses', async () => {
    const { conversations } = scene.client;
    const items = [{ role: 'user' as const, content: 'A secret' }];
    const { id } = await conversations.create({ items });
    const other = await scene.stranger();
    const gone = {
      ...{ status: 404, type: 'invalid_request_error' },
      message: expect.stringContaining(`Conversation with id '${id}' not found.`),
    };
    await expect(other.conversations.retrieve(id)).rejects.toMatchObject(gone);
    await expect(other.conversations.items.list(id)).rejects.toMatchObject(gone);
    await expect(other.conversations.items.create(id, { items })).rejects.toMatchObject(gone);
    await expect(other.conversations.delete(id)).rejects.toMatchObject(gone);
    await expect(scene.client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    const { bucket, ttlSeconds } = responseBucket;
    const held = await scene.relay.bus.keyValue(bucket, { ttlSeconds }).get(id);
    expect(held).not.toBeNull();
    expect(Buffer.from(JSON.stringify(held), 'base64').toString()).not.toContain('secret');
    await scene.relay.put.option('responses.keep_hours', '0');
    const off = { status: 400, code: 'conversations_not_kept' };
    await expect(conversations.create()).rejects.toMatchObject(off);
    await expect(
      scene.client.responses.create({ model, input: 'x', conversation: id }),
    ).rejects.toMatchObject(off);
  });
});
