/** Where a provider of the Responses API makes a conversation shorter. */
export const compactPath = '/v1/responses/compact';
