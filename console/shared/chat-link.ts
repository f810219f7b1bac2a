/** One configured chat site: a name and the template of its address. */
export type ChatSite = Readonly<{ name: string; template: string }>;

export const chatSites = (
  chats: readonly Readonly<Record<string, string>>[],
): readonly ChatSite[] =>
  chats.flatMap((entry) =>
    Object.entries(entry)
      .slice(0, 1)
      .map(([name, template]) => ({ name, template })),
  );

/** Where this server is reached from outside. */
const publicAddress = (serverAddress: string): string =>
  (serverAddress || window.location.origin).replace(/\/+$/, '');

/** The address goes in encoded, the key as it is: so the chat sites read them. */
export const chatLink = (template: string, key: string, serverAddress: string): string =>
  template
    .replaceAll('{address}', encodeURIComponent(publicAddress(serverAddress)))
    .replaceAll('{key}', `sk-${key}`);

/** An older kind of chat site takes key and address as JSON behind its own address. */
export const legacyChatLink = (address: string, key: string, serverAddress: string): string => {
  const url = encodeURIComponent(publicAddress(serverAddress));
  return `${address.replace(/\/+$/, '')}/#/?settings={"key":"sk-${key}","url":"${url}"}`;
};

/** Only pages open in a frame or a tab; other schemes belong to programs of the device. */
export const isWebAddress = (address: string): boolean => /^https?:\/\//i.test(address);

/** What would run in our own page is no address. */
export const isSafeLink = (address: string): boolean =>
  /^[a-z][a-z0-9+.-]*:/i.test(address) && !/^(javascript|data|vbscript|blob|file):/i.test(address);
