/** A letter or digit first: what begins with a dash is an option, and no id is one. */
export const isConversationId = (id: string): boolean => /^[A-Za-z0-9][\w.:-]{0,127}$/.test(id)
