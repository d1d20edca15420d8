/* The sea. */
Map { background-color: #cddfe9; }
