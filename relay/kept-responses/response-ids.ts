/** Ids of responses that this site made itself; their items carry the same number. */
const ownId = /^resp_tg([0-9a-f]{32})$/;
const ownItem = /^[a-z]+_tg([0-9a-f]{32})_\d+$/;

export const isOwnResponse = (id: string): boolean => ownId.test(id);

/** The response that contains an item; null: another's. */
export const responseOfItem = (itemId: string): string | null => {
  const [, number] = ownItem.exec(itemId) ?? [];
  return number === undefined ? null : `resp_tg${number}`;
};

const conversationId = /^conv_tg[0-9a-f]{32}$/;

/** Conversations are kept in the same store as responses. */
export const isConversationId = (id: string): boolean => conversationId.test(id);
