/** What a saved run is called: 16 characters of base64url. */
export const RUN_ID = /^[\w-]{16}$/;
