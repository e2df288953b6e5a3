# `source activate NAME`: conda's old way, for shells without its function.
eval "$(sed 's|@ROOT@|/usr|g' /usr/share/sandbatch/conda.sh)"
conda activate "$@"
