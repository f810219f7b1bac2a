/** The websocket address of Gemini's sessions; its own client doubles the first slash. */
const path =
  /^\/+(ws\/google\.ai\.generativelanguage\.(v1beta|v1alpha)\.GenerativeService\.BidiGenerateContent)(?=\?|$)/;

/** Most addresses are others: decided without the expression. */
const mayBeLive = (url: string): boolean => url.startsWith('/ws/') || url.startsWith('//');

/** Without query, which holds the caller's key; "" where it is no such address. */
export const livePath = (url: string): string => {
  if (!mayBeLive(url)) return '';
  const [, own] = path.exec(url) ?? [];
  return own === undefined ? '' : `/${own}`;
};

export const liveVersion = (url: string): string => path.exec(url)?.[2] ?? '';
