/** The websocket address of Gemini's sessions; its own client doubles the first slash. */
const path =
  /^\/+(ws\/google\.ai\.generativelanguage\.(v1beta|v1alpha)\.GenerativeService\.BidiGenerateContent)(?=\?|$)/;

/** Without query, which holds the caller's key; "" where it is no such address. */
export const livePath = (url: string): string => {
  const [, own] = path.exec(url) ?? [];
  return own === undefined ? '' : `/${own}`;
};

export const liveVersion = (url: string): string => path.exec(url)?.[2] ?? '';
