const asciiPerToken = 4;

/**
 * About how many tokens a text takes, without a table: four letters of ASCII, or one of any other
 * script. Guides reservations while an answer runs, and is used where nothing can be counted.
 */
export const roughTokens = (text: string): number => {
  let wide = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) wide += 1;
  return (text.length - wide) / asciiPerToken + wide;
};

const bytesPerToken = 3;
const tokensPerBlob = 1_100;

/** The same of a prompt, by the size of its body. */
export const roughPromptTokens = (
  bytes: number,
  { blobBytes, blobs }: Readonly<{ blobBytes: number; blobs: number }>,
): number => Math.ceil((bytes - blobBytes) / bytesPerToken) + blobs * tokensPerBlob;
