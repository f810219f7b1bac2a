export const keyringStreamId = 'keyring';
