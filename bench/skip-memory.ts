/** The header of a request that our bench Worker answers without the page memory, which still stores the page. */
export const skipMemory = 'x-bench-skip-memory'
