/** What ids of conversations look like, where several agents make them alike. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** As opencode and its descendants number their conversations. */
export const SES = /^ses_[0-9A-Za-z]{8,64}$/
