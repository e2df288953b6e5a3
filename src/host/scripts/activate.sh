# `source activate NAME`: conda's old syntax, for shells without its function.
eval "$(sed 's|@ROOT@|/usr|g' /usr/share/sandbatch/conda.sh)"
conda activate "$@"
