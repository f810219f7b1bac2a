/** The raw value of a cookie in a `Cookie` header (RFC 6265, section 4.2); null when it is absent. */
export const cookieValue = (header: string | undefined, name: string): string | null => {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
};

/** The percent-decoded value of a cookie; null when it is absent, empty or not percent-encoded text. */
export const decodedCookie = (header: string | undefined, name: string): string | null => {
  const raw = cookieValue(header, name);
  if (raw === null || raw === '') return null;
  try {
    return decodeURIComponent(raw);
  } catch {
    return null;
  }
};

type CookieAttributes = Readonly<{
  maxAgeSeconds: number;
  path?: string;
  /** The site is reached over TLS, so the cookie never goes over a plain connection. */
  isSecure: boolean;
}>;

/** A `Set-Cookie` value. Cookies of the product are for no script and for no page of another site. */
export const setCookieText = (
  name: string,
  value: string,
  { maxAgeSeconds, path = '/', isSecure }: CookieAttributes,
): string => {
  const secure = isSecure ? '; Secure' : '';
  const attributes = `Max-Age=${maxAgeSeconds}; Path=${path}; HttpOnly; SameSite=Strict${secure}`;
  return `${name}=${encodeURIComponent(value)}; ${attributes}`;
};
